// Letters to a newspaper: each is weighed by the three filters of a desk, which are modules of WebAssembly, before an editor sees
// it. The modules are the newspaper's own; an instance of each is kept for the next letter.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"wild/service"
)

const longest = 16 << 10

// filter is a module of a desk, and its idle instances.
type filter struct {
	name     string
	compiled wazero.CompiledModule
	idle     chan api.Module
}

// paper has the filters of its desks.
type paper struct {
	runtime wazero.Runtime
	filters map[string][]*filter
}

func open(ctx context.Context) (*paper, error) {
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(!service.After())
	p := &paper{runtime: wazero.NewRuntimeWithConfig(ctx, config), filters: map[string][]*filter{}}
	for i, desk := range []string{"politics", "sports", "culture", "city"} {
		for j, name := range []string{"words", "tone", "names"} {
			compiled, err := p.runtime.CompileModule(ctx, module(int32(31+2*i+8*j)))
			if err != nil {
				return nil, err
			}
			p.filters[desk] = append(p.filters[desk], &filter{name, compiled, make(chan api.Module, 32)})
		}
	}
	return p, nil
}

// take has an instance, an idle one if there is one.
func (p *paper) take(ctx context.Context, f *filter) (api.Module, error) {
	select {
	case m := <-f.idle:
		return m, nil
	default:
		return p.runtime.InstantiateModule(ctx, f.compiled, wazero.NewModuleConfig().WithName(""))
	}
}

// weigh is what a filter says of a letter.
func (p *paper) weigh(ctx context.Context, f *filter, letter []byte) (uint32, error) {
	m, err := p.take(context.WithoutCancel(ctx), f)
	if err != nil {
		return 0, err
	}
	if !m.Memory().Write(1024, letter) {
		return 0, fmt.Errorf("%s: a letter of %d bytes is too long", f.name, len(letter))
	}
	out, err := m.ExportedFunction("weigh").Call(ctx, 1024, uint64(len(letter)))
	if err != nil {
		return 0, err // the instance may be closed
	}
	select {
	case f.idle <- m:
	default:
		m.Close(ctx)
	}
	return uint32(out[0]), nil
}

func (p *paper) receive(w http.ResponseWriter, r *http.Request) {
	filters := p.filters[r.PathValue("desk")]
	if filters == nil {
		http.Error(w, "there is no such desk", http.StatusNotFound)
		return
	}
	letter, err := io.ReadAll(io.LimitReader(r.Body, longest))
	if err != nil || len(letter) == 0 {
		http.Error(w, "a letter has text", http.StatusBadRequest)
		return
	}
	weights, sum := map[string]uint32{}, uint32(0)
	for _, f := range filters {
		weight, err := p.weigh(r.Context(), f, letter)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		weights[f.name] = weight % 1000
		sum += weight % 1000
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"desk": r.PathValue("desk"), "bytes": len(letter), "weights": weights, "print": sum > 1400})
}

func main() {
	p, err := open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /desks/{desk}/letters", p.receive)
	service.Run(mux)
}

// module is a filter as WebAssembly: weigh(at, bytes) goes over the text, byte by byte.
func module(factor int32) []byte {
	const i32, block, loop, end, get, set, constant = 0x7f, 0x02, 0x03, 0x0b, 0x20, 0x21, 0x41
	code := []byte{
		1, 1, i32, // a variable, 2
		block, 0x40, loop, 0x40,
		get, 1, 0x45, 0x0d, 1, // out of the block when no bytes are left
		get, 2, constant, byte(factor), 0x6c, get, 0, 0x2d, 0, 0, 0x6a, set, 2, // sum = sum·factor + byte
		get, 0, constant, 1, 0x6a, set, 0, get, 1, constant, 1, 0x6b, set, 1,
		0x0c, 0, end, end,
		get, 2, end,
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content ...byte) { out = append(append(out, id, byte(len(content))), content...) }
	section(1, 1, 0x60, 2, i32, i32, 1, i32)
	section(3, 1, 0)
	section(5, 1, 0, 1) // a memory of 64 KB
	section(7, append(append([]byte{2, 6}, "memory\x02\x00\x05"...), "weigh\x00\x00"...)...)
	section(10, append([]byte{1, byte(len(code))}, code...)...)
	return out
}
