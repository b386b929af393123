package exchange

import "go.opentelemetry.io/collector/pdata/pcommon"

func (w *otlpWriter) labels(all []label) []int32 {
	out := make([]int32, len(all))
	for i, l := range all {
		a := attribute{key: l.key, text: l.text, unit: l.unit, number: l.number, kind: pcommon.ValueTypeStr}
		if l.text == "" {
			a.kind = pcommon.ValueTypeInt
		}
		out[i] = w.attribute(a)
	}
	return out
}

func (w *otlpWriter) stack(t *tables, ids []uint64) int32 {
	places := make([]int32, len(ids))
	var k key
	for i, id := range ids {
		places[i] = w.location(t, id)
		k.add(uint64(places[i])) //nolint:gosec // not negative
	}
	if len(ids) == 0 {
		return 0
	}
	at, ok := w.stacks[string(k)]
	if !ok {
		at = int32(w.d.StackTable().Len()) //nolint:gosec // bounded by maxMessage
		w.stacks[string(k)] = at
		w.d.StackTable().AppendEmpty().LocationIndices().FromRaw(places)
	}
	return at
}

func (w *otlpWriter) location(t *tables, id uint64) int32 {
	l := t.locations[id]
	if l == nil {
		t.err = errIndex
		return 0
	}
	var m int32
	if l.MappingId != 0 {
		m = w.mapping(t.mapping(l.MappingId))
	}
	var k key
	k.add(uint64(m), l.Address) //nolint:gosec // not negative
	if l.IsFolded {
		k.add(1)
	}
	functions := make([]int32, len(l.Line))
	for i, n := range l.Line {
		if n.GetFunctionId() != 0 {
			functions[i] = w.function(t.function(n.GetFunctionId()))
		}
		k.add(uint64(functions[i]), uint64(n.GetLine())) //nolint:gosec // a key
	}
	at, ok := w.locations[string(k)]
	if ok {
		return at
	}
	at = int32(w.d.LocationTable().Len()) //nolint:gosec // bounded by maxMessage
	w.locations[string(k)] = at
	out := w.d.LocationTable().AppendEmpty()
	out.SetMappingIndex(m)
	out.SetAddress(l.Address)
	w.flag(out.AttributeIndices(), keyFolded, l.IsFolded)
	for i, n := range l.Line {
		to := out.Lines().AppendEmpty()
		to.SetFunctionIndex(functions[i])
		to.SetLine(n.GetLine())
	}
	return at
}

func (w *otlpWriter) function(f function) int32 {
	at, ok := w.functions[f]
	if !ok {
		at = int32(w.d.FunctionTable().Len()) //nolint:gosec // bounded by maxMessage
		w.functions[f] = at
		out := w.d.FunctionTable().AppendEmpty()
		out.SetNameStrindex(w.string(f.name))
		out.SetSystemNameStrindex(w.string(f.system))
		out.SetFilenameStrindex(w.string(f.file))
		out.SetStartLine(f.start)
	}
	return at
}

func (w *otlpWriter) mapping(m mapping) int32 {
	at, ok := w.mappings[m]
	if !ok {
		at = int32(w.d.MappingTable().Len()) //nolint:gosec // bounded by maxMessage
		w.mappings[m] = at
		out := w.d.MappingTable().AppendEmpty()
		out.SetMemoryStart(m.start)
		out.SetMemoryLimit(m.limit)
		out.SetFileOffset(m.offset)
		out.SetFilenameStrindex(w.string(m.file))
		w.words(out.AttributeIndices(), keyBuild, m.build)
		w.flag(out.AttributeIndices(), keyFunctions, m.functions)
		w.flag(out.AttributeIndices(), keyFilenames, m.filenames)
		w.flag(out.AttributeIndices(), keyLines, m.lines)
		w.flag(out.AttributeIndices(), keyInline, m.inline)
	}
	return at
}
