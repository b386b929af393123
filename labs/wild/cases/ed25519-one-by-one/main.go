// Readings of heat meters: a gateway in each cellar has those of its meters since yesterday, each signed by its meter;
// what they add up to is billed, if all are genuine. The gateways are a process of their own.
package main

import (
	"crypto/ed25519"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/hdevalence/ed25519consensus"

	"wild/service"
)

// reading is of a meter, at an hour.
type reading struct {
	Meter     int    `json:"meter"`
	Hour      int    `json:"hour"`
	WattHours int    `json:"wattHours"`
	Signature []byte `json:"signature"`
}

// message is what a meter signs.
func (d reading) message() []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(d.Meter))
	b = binary.BigEndian.AppendUint32(b, uint32(d.Hour))
	return binary.BigEndian.AppendUint64(b, uint64(d.WattHours))
}

// biller knows gateways, and the keys of meters.
type biller struct {
	gateways string
	client   *http.Client
	keys     []ed25519.PublicKey
}

func (b *biller) fetch(gateway int) ([]reading, error) {
	resp, err := b.client.Get(fmt.Sprintf("http://%s/gateways/%d", b.gateways, gateway))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("gateway %d: %s", gateway, resp.Status)
	}
	var all []reading
	return all, json.NewDecoder(resp.Body).Decode(&all)
}

// genuine reports whether all readings were signed by their meters.
func (b *biller) genuine(all []reading) bool {
	if service.After() {
		batch := ed25519consensus.NewPreallocatedBatchVerifier(len(all))
		for _, d := range all {
			batch.Add(b.keys[d.Meter], d.message(), d.Signature)
		}
		return batch.Verify()
	}
	for _, d := range all {
		if !ed25519consensus.Verify(b.keys[d.Meter], d.message(), d.Signature) {
			return false
		}
	}
	return len(all) > 0
}

func (b *biller) bill(w http.ResponseWriter, r *http.Request) {
	gateway, err := strconv.Atoi(r.PathValue("gateway"))
	if err != nil || gateway < 0 || gateway >= gateways {
		http.NotFound(w, r)
		return
	}
	all, err := b.fetch(gateway)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	for _, d := range all {
		if d.Meter < 0 || d.Meter >= len(b.keys) {
			http.Error(w, "an unknown meter", http.StatusBadGateway)
			return
		}
	}
	if !b.genuine(all) {
		http.Error(w, "not all readings are genuine", http.StatusUnprocessableEntity)
		return
	}
	meters, sum := map[int]int{}, 0
	for _, d := range all {
		meters[d.Meter] += d.WattHours
		sum += d.WattHours
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"gateway": gateway, "readings": len(all), "meters": meters, "wattHours": sum})
}

const gateways, metersOfEach, hours = 24, 4, 24

func main() {
	if os.Getenv("ROLE") == "gateways" {
		serveGateways()
		return
	}
	b := &biller{gateways: service.Beside("gateways"), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	for m := range gateways * metersOfEach {
		b.keys = append(b.keys, meterKey(m).Public().(ed25519.PublicKey))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /gateways/{gateway}/bill", b.bill)
	srv := &http.Server{Handler: mux, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
	srv.Close()
}

func meterKey(m int) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(fmt.Appendf(nil, "meter %-26d", m))
}

// serveGateways has a day of each meter.
func serveGateways() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	pages := make([][]byte, gateways)
	for g := range pages {
		var all []reading
		for m := g * metersOfEach; m < (g+1)*metersOfEach; m++ {
			for hour := range hours {
				d := reading{Meter: m, Hour: hour, WattHours: (m*97 + hour*31) % 2400}
				d.Signature = ed25519.Sign(meterKey(m), d.message())
				all = append(all, d)
			}
		}
		if pages[g], err = json.Marshal(all); err != nil {
			log.Fatal(err)
		}
	}
	http.HandleFunc("GET /gateways/{gateway}", func(w http.ResponseWriter, r *http.Request) {
		g, err := strconv.Atoi(r.PathValue("gateway"))
		if err != nil || g < 0 || g >= gateways {
			http.NotFound(w, r)
			return
		}
		w.Write(pages[g])
	})
	go func() { log.Println(http.Serve(ln, nil)) }()
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
