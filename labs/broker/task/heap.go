package task

// entry is a task in a heap: at the time or number by which it is ordered.
type entry struct {
	at int64
	id uint64
}

// entries is a heap.Interface, least first; ties go by id, so that replicas agree.
type entries []entry

func (e entries) Len() int      { return len(e) }
func (e entries) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e entries) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].id < e[j].id
}
func (e *entries) Push(x any) { *e = append(*e, x.(entry)) }
func (e *entries) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
