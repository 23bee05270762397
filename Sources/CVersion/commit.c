#include "CVersion.h"

#ifndef PERMTUI_COMMIT
#define PERMTUI_COMMIT ""
#endif

const char *permtui_commit(void) { return PERMTUI_COMMIT; }
