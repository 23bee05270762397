#ifndef WALLS_INTERNAL_H
#define WALLS_INTERNAL_H

#include "walls.h"

// Sends a report, with its descriptor. Returns -1 with errno set if that fails.
int walls_send(int channel, const struct walls_report *report);

#endif
