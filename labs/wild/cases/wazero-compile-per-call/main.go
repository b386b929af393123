// Prices by rules of the shops: a shop writes its rules as a table, which is made into WebAssembly when
// it is uploaded, and runs for each basket in an instance of its own, over HTTP/2 in the clear.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"wild/service"
)

// rule adds to a basket's price: factor‰ of what it is above, when it weighs enough.
type rule struct{ factor, above, grams int32 }

type shop struct {
	name     string
	wasm     []byte
	compiled wazero.CompiledModule
}

type basket struct {
	Customer string `json:"customer"`
	Lines    []struct {
		SKU   string `json:"sku"`
		Count int32  `json:"count"`
		Cents int32  `json:"cents"`
		Grams int32  `json:"grams"`
	} `json:"lines"`
}

func (b basket) sums() (cents, grams int32, err error) {
	for i, l := range b.Lines {
		if l.Count < 1 || l.Count > 1000 || l.Cents < 0 || l.Grams < 0 {
			return 0, 0, fmt.Errorf("line %d: %+v", i, l)
		}
		cents += l.Count * l.Cents
		grams += l.Count * l.Grams
	}
	return cents, grams, nil
}

// engine runs the rules.
type engine struct {
	runtime wazero.Runtime
	shops   map[string]*shop
}

func newEngine(ctx context.Context) (*engine, error) {
	e := &engine{wazero.NewRuntime(ctx), map[string]*shop{}}
	for i, name := range []string{"lamps", "tea", "bikes"} {
		s := &shop{name: name, wasm: assemble(table(int32(i), 40))}
		if service.After() {
			var err error
			if s.compiled, err = e.runtime.CompileModule(ctx, s.wasm); err != nil {
				return nil, fmt.Errorf("rules of %s: %w", name, err)
			}
		}
		e.shops[name] = s
	}
	return e, nil
}

func (e *engine) instance(ctx context.Context, s *shop) (api.Module, error) {
	if s.compiled == nil {
		return e.runtime.Instantiate(ctx, s.wasm)
	}
	return e.runtime.InstantiateModule(ctx, s.compiled, wazero.NewModuleConfig().WithName(""))
}

func (e *engine) price(ctx context.Context, s *shop, cents, grams int32) (int32, error) {
	m, err := e.instance(ctx, s)
	if err != nil {
		return 0, fmt.Errorf("rules of %s: %w", s.name, err)
	}
	defer m.Close(ctx)
	out, err := m.ExportedFunction("price").Call(ctx, api.EncodeI32(cents), api.EncodeI32(grams))
	if err != nil {
		return 0, fmt.Errorf("rules of %s: %w", s.name, err)
	}
	return api.DecodeI32(out[0]), nil
}

func main() {
	e, err := newEngine(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /shops/{shop}/price", func(w http.ResponseWriter, r *http.Request) {
		s := e.shops[r.PathValue("shop")]
		if s == nil {
			http.NotFound(w, r)
			return
		}
		var b basket
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&b); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		cents, grams, err := b.sums()
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		price, err := e.price(r.Context(), s, cents, grams)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"shop": s.name, "cents": price, "grams": grams})
	})
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}

func table(seed int32, n int) []rule {
	var rules []rule
	for i := range int32(n) {
		rules = append(rules, rule{(i*7+seed)%9 - 4, 100 * i, 50 * ((i + seed) % 20)})
	}
	return rules
}

// assemble makes a module of rules: a function for each, and one that is exported and adds them up.
func assemble(rules []rule) []byte {
	const i32, get0, get1, constant = 0x7f, "\x20\x00", "\x20\x01", 0x41
	signature := []byte{1, 0x60, 2, i32, i32, 1, i32} // (cents, grams) -> cents
	functions, code := unsigned(nil, len(rules)+1), unsigned(nil, len(rules)+1)
	var sum []byte
	sum = append(sum, 0) // no locals
	sum = append(sum, get0...)
	for i, r := range rules {
		body := []byte{0}
		body = append(body, get0...)
		body = append(signed(append(body, constant), r.above), 0x6b) // sub
		body = append(signed(append(body, constant), r.factor), 0x6c, constant)
		body = append(signed(body, 1000), 0x6d, constant, 0) // mul, div_s
		body = append(body, get0...)
		body = append(signed(append(body, constant), r.above), 0x4a) // gt_s
		body = append(body, get1...)
		body = append(signed(append(body, constant), r.grams), 0x4e, 0x71, 0x1b, 0x0b) // ge_s, and, select, end
		functions = append(functions, 0)
		code = append(unsigned(code, len(body)), body...)
		sum = append(append(sum, get0...), get1...)
		sum = append(unsigned(append(sum, 0x10), i), 0x6a) // call, add
	}
	sum = append(sum, 0x0b)
	functions = append(functions, 0)
	code = append(unsigned(code, len(sum)), sum...)
	export := append([]byte{1, 5}, "price\x00"...)
	export = unsigned(export, len(rules))

	module := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id   byte
		data []byte
	}{{1, signature}, {3, functions}, {7, export}, {10, code}} {
		module = append(unsigned(append(module, s.id), len(s.data)), s.data...)
	}
	return module
}

func unsigned(b []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

func signed(b []byte, n int32) []byte {
	for n < -64 || n > 63 {
		b, n = append(b, byte(n)&0x7f|0x80), n>>7
	}
	return append(b, byte(n)&0x7f)
}
