/* The part of Windows' own ICU (icuuc.dll) that Qt6Core asks for when it is loaded, which Wine 10 does not have: converters of
   code pages. There are none here: every attempt to open one fails, and Qt uses its own for UTF-8, UTF-16 and Latin-1.
   Source of the names: ICU 72, ucnv.h. */
#define ICU __declspec(dllexport)
#define U_FILE_ACCESS_ERROR 4

int __stdcall DllMain(void *library, unsigned reason, void *reserved) { return 1; }

ICU void *ucnv_open(const char *name, int *error) { if (error) *error = U_FILE_ACCESS_ERROR; return 0; }
ICU const char *ucnv_getName(void *converter, int *error) { if (error) *error = U_FILE_ACCESS_ERROR; return 0; }
ICU const char *ucnv_getStandardName(const char *name, const char *standard, int *error) { if (error) *error = U_FILE_ACCESS_ERROR; return 0; }
ICU const char *ucnv_getAvailableName(int number) { return 0; }
ICU int ucnv_countAvailable(void) { return 0; }
ICU signed char ucnv_getMaxCharSize(void *converter) { return 1; }
ICU int ucnv_toUCountPending(void *converter, int *error) { return 0; }
ICU int ucnv_fromUCountPending(void *converter, int *error) { return 0; }
ICU void ucnv_close(void *converter) {}
ICU void ucnv_reset(void *converter) {}
ICU void ucnv_toUnicode(void) {}
ICU void ucnv_fromUnicode(void) {}
ICU void ucnv_getToUCallBack(void) {}
ICU void ucnv_setToUCallBack(void) {}
ICU void ucnv_setFromUCallBack(void) {}
ICU void ucnv_cbToUWriteUChars(void) {}
ICU void ucnv_cbFromUWriteUChars(void) {}
ICU void UCNV_FROM_U_CALLBACK_SUBSTITUTE(void) {}
ICU void UCNV_TO_U_CALLBACK_SUBSTITUTE(void) {}
