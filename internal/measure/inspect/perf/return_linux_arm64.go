package perf

// A call leaves the address to return to in the link register (PERF_REG_ARM64_LR, asm/perf_regs.h).
const (
	returnRegister   = 30
	returnInRegister = true
)
