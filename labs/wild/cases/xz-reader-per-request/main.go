// Tides of harbours: the almanac of a month is kept as it was sent, packed, and unpacked for each request that looks up a harbour's high
// waters in it.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"strings"
	"sync"

	"github.com/xi2/xz"

	"wild/service"
)

// almanac is a month's, packed.
type almanac struct {
	packed  []byte
	readers sync.Pool // that are used again, if they are
}

// tide is the high waters of a day.
type tide struct {
	Day    string `json:"day"`
	First  string `json:"first"`
	Second string `json:"second"`
	Metres string `json:"metres"`
}

// reader unpacks the almanac; done gives it back.
func (a *almanac) reader() (z *xz.Reader, done func(), err error) {
	if !service.After() {
		z, err = xz.NewReader(bytes.NewReader(a.packed), 0)
		return z, func() {}, err
	}
	z, _ = a.readers.Get().(*xz.Reader)
	if z == nil {
		if z, err = xz.NewReader(nil, 0); err != nil {
			return nil, nil, err
		}
	}
	return z, func() { a.readers.Put(z) }, z.Reset(bytes.NewReader(a.packed))
}

// tides looks up those of a harbour.
func (a *almanac) tides(harbour string) ([]tide, error) {
	z, done, err := a.reader()
	if err != nil {
		return nil, err
	}
	defer done()
	var out []tide
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		if at, rest, _ := strings.Cut(lines.Text(), ";"); strings.EqualFold(at, harbour) {
			if f := strings.Split(rest, ";"); len(f) == 4 {
				out = append(out, tide{f[0], f[1], f[2], f[3]})
			}
		}
	}
	return out, lines.Err()
}

func (a *almanac) serve(w http.ResponseWriter, r *http.Request) {
	tides, err := a.tides(r.PathValue("harbour"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if len(tides) == 0 {
		http.Error(w, "no such harbour", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(tides)
}

func main() {
	packed, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(june, "\n", ""))
	if err != nil {
		log.Fatal(err)
	}
	a := &almanac{packed: packed}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /harbours/{harbour}/tides", a.serve)
	service.Run(mux)
}

// june is the almanac of that month, as xz packs it by itself.
const june = `/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4B8NA09dACycyoYjAMS+vKZoYbQlpjx0w9YjnwHLyI83fLVMZYo1US2bqe7UFaAKf04C3G2Q7xzo9PwRQgx/eult
8Rygg8GDGPWlfNAm1MXMWWzK7JPGfgVevntjZfDI1uztPHlcRny5xXieblhntovWcdX7T8lmSbCEif9oKCh/9O95UHLPnziYuc2Fwdn+GGVvGUi3DMJk01hM
M4KUheGBK7gYyZriyiY7hDJ9edo1Em7FsCTGFQ7TU+dyqemOm4F1ID9DM4NrKE5LQCb8U5erPGxe+6Qp/VHJ61KYvGTYBGVSM/xwVmd5zo8hZN0UfW2Hbsbp
XVKH5bWYMatzZdWH15AQfDsVQQPYlzKyWvGTpcAFRkFOmvoECKtj9km6H/WADC5Ta55IKPbLjE5gZCN1nGUY965a7EMPzTx9H+ZZH5V0HryMBAoqkXmnwyCC
WXbI+yiGKMv/D/8phr5bueNLJR1tafr5fklKkgXzBEAkDUzG5q/eSZCtoanWV0cQaYlKQP+zy846d8UUQxt/D2G+UoynonXBsSlAzfEKBpa9b/UrgYi1JkxR
TMm5VCyVw7DI5MF0ORE9vtH+peghKytK9Ujc0QtC54OmcHUknfwy1D4Wy74e6deDQRdR3vJ8+P7IRfLRFQnxMM1S04Q5gEvVT6PStw4gKRJLOMeAfnsSGdeC
RYmE3HRAINMaeiKoV0xeAS5gDVH67nRUUy/G03fDeU+kmmDW/qaAIFthWo2hEFE2vvka6+JMER3zdI1Hqos9cWHmEaY4sAWETLkdV5RoY9M7IwRXEyQYJfTk
nbFb1tRqwsKkwd+hv/PrccWttDtmmrM4MSPciXi6HD6TQn6pddzZ3G+y7cCzLfQ/bx0/w7kzWYtotl7lLe2SH9CRVcILw4pXRIJsOUeRlHp/MgrgF5a9nKrF
DT1K/b5Zlh+bunLSTeN53T9N2idxbpuWqLnyvpVnutPSJgHtfkHolkeDKZBGPa/KKnI+SB/6p0XMN00eERZCCN4awbYJLlMWo8MYYEXup6dIqeWfzVlVZNaJ
Z+HU2HtLX8BJ7YiSIRw9HDeYrh/FekvmzgcL+jiaur8HybWUMUNxgSVasDZvih3kZBHfdkaNxp4LyM+85mD5n0RenAAAANuSRaDaX4goAAHrBo4+AACuw+UT
scRn+wIAAAAABFla
`
