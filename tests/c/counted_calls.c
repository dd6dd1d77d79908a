/* See counted_calls.h. */
#include "counted_calls.h"

uint64_t counted_calls;

#ifdef WALKMESH_COUNTS_CALLS
/* Passes the arguments on as they are. */
#define COUNT(name) \
  __asm__(".text\n.globl __wrap_" #name "\n.type __wrap_" #name ", @function\n__wrap_" #name \
          ":\n\tincq counted_calls(%rip)\n\tjmp __real_" #name "@PLT\n");
#include "counted_functions.h" /* written by CMake */
#endif
