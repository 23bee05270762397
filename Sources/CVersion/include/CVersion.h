/// Returns the commit that the program was built from; an empty text if the build did not know it.
const char *permtui_commit(void);
