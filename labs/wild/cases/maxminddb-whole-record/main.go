// Visitors of shops by country: a proxy posts the addresses of its last requests, and is told how many of them came
// from which country, and which of them from where orders are not sent to.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/oschwald/maxminddb-golang"

	"wild/service"
)

const networks = 30_000

var codeOnly = service.After()

var languages = []string{"de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"}

// place is what the database has of a network.
type place struct {
	City struct {
		Names map[string]string `maxminddb:"names"`
	} `maxminddb:"city"`
	Continent struct {
		Code  string            `maxminddb:"code"`
		Names map[string]string `maxminddb:"names"`
	} `maxminddb:"continent"`
	Country struct {
		ISOCode string            `maxminddb:"iso_code"`
		Names   map[string]string `maxminddb:"names"`
	} `maxminddb:"country"`
	Location struct {
		Latitude  float64 `maxminddb:"latitude"`
		Longitude float64 `maxminddb:"longitude"`
		TimeZone  string  `maxminddb:"time_zone"`
	} `maxminddb:"location"`
	Subdivisions []struct {
		ISOCode string            `maxminddb:"iso_code"`
		Names   map[string]string `maxminddb:"names"`
	} `maxminddb:"subdivisions"`
}

// code is as much of it as is asked for here.
type code struct {
	Country struct {
		ISOCode string `maxminddb:"iso_code"`
	} `maxminddb:"country"`
}

type shops struct {
	db     *maxminddb.Reader
	barred map[string]bool
}

func (s *shops) country(ip net.IP) (string, error) {
	if codeOnly {
		var c code
		err := s.db.Lookup(ip, &c)
		return c.Country.ISOCode, err
	}
	var p place
	err := s.db.Lookup(ip, &p)
	return p.Country.ISOCode, err
}

// summary is what is answered.
type summary struct {
	Lines     int            `json:"lines"`
	Unknown   int            `json:"unknown"`
	Countries map[string]int `json:"countries"`
	Barred    []string       `json:"barred,omitempty"`
}

func (s *shops) sum(lines io.Reader) (*summary, error) {
	out := &summary{Countries: map[string]int{}}
	in := bufio.NewScanner(lines)
	for in.Scan() {
		out.Lines++
		ip := net.ParseIP(in.Text())
		if ip == nil {
			return nil, fmt.Errorf("line %d: %q is no address", out.Lines, in.Text())
		}
		country, err := s.country(ip)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", ip, err)
		}
		if country == "" {
			out.Unknown++
			continue
		}
		out.Countries[country]++
		if s.barred[country] && len(out.Barred) < 10 {
			out.Barred = append(out.Barred, ip.String())
		}
	}
	return out, in.Err()
}

func main() {
	path, err := database()
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)
	db, err := maxminddb.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	s := &shops{db, map[string]bool{"XK": true, "AQ": true}}
	http.HandleFunc("POST /visitors", func(w http.ResponseWriter, r *http.Request) {
		out, err := s.sum(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

func names(text string) mmdbtype.Map {
	out := mmdbtype.Map{}
	for _, l := range languages {
		out[mmdbtype.String(l)] = mmdbtype.String(text + " (" + l + ")")
	}
	return out
}

// database writes the networks into a file.
func database() (string, error) {
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "GeoLite2-City", RecordSize: 28, IPVersion: 4, Languages: languages})
	if err != nil {
		return "", err
	}
	countries := []string{"DE", "FR", "IT", "AT", "PL", "SE", "XK", "JP", "BR", "CA", "NZ"}
	for i := range networks {
		iso := countries[i%len(countries)]
		err := tree.Insert(&net.IPNet{IP: net.IPv4(20+byte(i>>16), byte(i>>8), byte(i), 0).To4(), Mask: net.CIDRMask(24, 32)}, mmdbtype.Map{
			"city":         mmdbtype.Map{"geoname_id": mmdbtype.Uint32(i), "names": names(fmt.Sprint("City ", i%700))},
			"continent":    mmdbtype.Map{"code": mmdbtype.String("C" + iso[:1]), "names": names("Continent " + iso[:1])},
			"country":      mmdbtype.Map{"iso_code": mmdbtype.String(iso), "names": names("Country " + iso)},
			"location":     mmdbtype.Map{"latitude": mmdbtype.Float64(i % 90), "longitude": mmdbtype.Float64(i % 180), "time_zone": mmdbtype.String("Zone/" + iso)},
			"subdivisions": mmdbtype.Slice{mmdbtype.Map{"iso_code": mmdbtype.String(fmt.Sprint(i % 16)), "names": names(fmt.Sprint("Region ", i%16))}},
		})
		if err != nil {
			return "", err
		}
	}
	f, err := os.CreateTemp("", "visitors-*.mmdb")
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = tree.WriteTo(f)
	return f.Name(), err
}
