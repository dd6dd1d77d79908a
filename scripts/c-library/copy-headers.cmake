# Copies HEADERS, paths below FROM, to TO; `#include "x/y.h"` becomes `#include <walkmesh/x/y.h>`. A header that was removed goes.
file(REMOVE_RECURSE ${TO})
foreach(header ${HEADERS})
  file(READ ${FROM}/${header} text)
  string(REGEX REPLACE "(^|\n)#include \"([^\"\n]+)\"" "\\1#include <walkmesh/\\2>" text "${text}")
  file(WRITE ${TO}/${header} "${text}")
endforeach()
