package target

import "C"
