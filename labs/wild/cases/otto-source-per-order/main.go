// Prices of a marketplace over h2c: each merchant writes rules in JavaScript, over a library that the marketplace gives them, and an order
// is priced by the rules of its merchant.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/robertkrimen/otto"

	"wild/service"
)

// library is what merchants' rules may use: discounts by step, freight and taxes of each country.
func library() string {
	var b strings.Builder
	b.WriteString("function clamp(x, low, high) { return x < low ? low : (x > high ? high : x); }\n")
	b.WriteString("function cents(x) { return Math.round(x * 100) / 100; }\n")
	for i, country := range []string{"AT", "BE", "CZ", "DE", "DK", "ES", "FI", "FR", "HU", "IE", "IT", "LU", "NL", "PL", "PT", "SE", "SI", "SK"} {
		fmt.Fprintf(&b, `// what it takes to send to %[1]s
function freight%[1]s(grams, express) {
	var zone = grams > 20000 ? "pallet" : (grams > 2000 ? "parcel" : "letter");
	var base = { letter: %[2]d.9, parcel: %[3]d.5, pallet: 49.0 + %[2]d }[zone];
	if (express && zone !== "pallet") { base = base * 1.6 + 2; }
	for (var left = grams - 2000; zone === "parcel" && left > 0; left -= 2000) { base += 0.75; }
	return cents(base);
}
function tax%[1]s(net, reduced) {
	var rate = reduced ? 0.%02[4]d : 0.%02[5]d;
	return cents(clamp(net, 0, 1000000) * rate);
}
`, country, 1+i%3, 4+i%4, 5+i%5, 19+i%6)
	}
	return b.String()
}

// merchant has rules.
type merchant struct {
	country string
	source  string
	ready   *otto.Script
}

// market prices orders.
type market struct {
	merchants []merchant
	engines   sync.Pool
}

func open() (*market, error) {
	m := &market{engines: sync.Pool{New: func() any { return otto.New() }}}
	lib := library()
	for i := range 40 {
		country := []string{"AT", "DE", "FR", "NL", "PL"}[i%5]
		source := lib + fmt.Sprintf(`
function price(pieces, each, grams, express) {
	var net = pieces * each;
	if (pieces >= %d) { net = net * 0.9; } else if (net > %d) { net -= 15; }
	return JSON.stringify({ net: cents(net), tax: tax%[3]s(net, %[4]t), freight: freight%[3]s(grams * pieces, express) });
}`, 10+i%7, 300+i*10, country, i%3 == 0)
		script, err := otto.New().Compile("merchant-"+strconv.Itoa(i), source)
		if err != nil {
			return nil, err
		}
		m.merchants = append(m.merchants, merchant{country, source, script})
	}
	return m, nil
}

// price runs the rules of a merchant over an order.
func (m *market) price(by merchant, pieces int, each float64, grams int, express bool) (json.RawMessage, error) {
	vm := m.engines.Get().(*otto.Otto)
	defer m.engines.Put(vm)
	var rules any = by.source
	if service.After() {
		rules = by.ready
	}
	if _, err := vm.Run(rules); err != nil {
		return nil, err
	}
	v, err := vm.Call("price", nil, pieces, each, grams, express)
	if err != nil {
		return nil, err
	}
	if !v.IsString() {
		return nil, errors.New("the rules said no price")
	}
	return json.RawMessage(v.String()), nil
}

func (m *market) serve(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("merchant"))
	if err != nil || n < 0 || n >= len(m.merchants) {
		http.Error(w, "there is no such merchant", http.StatusNotFound)
		return
	}
	q := r.URL.Query()
	pieces, _ := strconv.Atoi(q.Get("pieces"))
	grams, _ := strconv.Atoi(q.Get("grams"))
	each, err := strconv.ParseFloat(q.Get("each"), 64)
	if err != nil || pieces < 1 {
		http.Error(w, "how many, and what does one cost?", http.StatusBadRequest)
		return
	}
	price, err := m.price(m.merchants[n], pieces, each, grams, q.Has("express"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"merchant": n, "country": m.merchants[n].country, "price": price})
}

func main() {
	m, err := open()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /merchants/{merchant}/price", m.serve)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	_ = srv.Close()
}
