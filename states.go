package unpark

// States are the states of a request, in a trace, that a class of finding is about.
func (c Class) States() []WaitClass {
	switch c {
	case ClassLock:
		return []WaitClass{WaitLock}
	case ClassChannel:
		return joins()
	case ClassPool:
		return append(joins(), WaitPool) // a channel that is used as one
	case ClassDownstream:
		return append(joins(), WaitDownstream) // a join for one that uses a connection
	case ClassIO, ClassSyscall:
		return append(joins(), WaitSyscall, WaitNetwork) // a join for another goroutine's calls
	case ClassRateLimit:
		return []WaitClass{WaitRateLimit, WaitSleep}
	case ClassGC, ClassAlloc:
		return []WaitClass{WaitGC, WaitGCAssist, WaitSTW}
	}
	return nil
}

// joins are the waits for another goroutine of the same process.
func joins() []WaitClass {
	return []WaitClass{WaitChannel, WaitSelect, WaitCond, WaitGroup}
}
