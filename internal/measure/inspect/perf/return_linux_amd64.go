package perf

// A call leaves the address to return to at the top of the stack. The kernel gives that with a register, which is the
// stack pointer (PERF_REG_X86_SP, asm/perf_regs.h).
const (
	returnRegister   = 7
	returnInRegister = false
)
