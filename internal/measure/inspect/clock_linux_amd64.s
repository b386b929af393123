#include "textflag.h"

// func ticks() int64
TEXT ·ticks(SB),NOSPLIT,$0-8
	RDTSC
	SHLQ $32, DX
	ADDQ DX, AX
	MOVQ AX, ret+0(FP)
	RET
