// Where an address is: a city and a country by GeoIP. The database is a file of networks, made here.
package main

import (
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/oschwald/geoip2-golang"

	"wild/service"
)

const networks = 200_000

func main() {
	path, err := database()
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)

	open := func() (*geoip2.Reader, error) { return geoip2.Open(path) }
	leave := (*geoip2.Reader).Close
	if service.After() {
		db, err := geoip2.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		open = func() (*geoip2.Reader, error) { return db, nil }
		leave = func(*geoip2.Reader) error { return nil }
	}
	var seq atomic.Uint32
	http.HandleFunc("/where", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1) * 7919 % networks
		ip := net.IPv4(20+byte(n>>16), byte(n>>8), byte(n), 1) // stands for the address of the client
		db, err := open()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer leave(db)
		city, err := db.City(ip)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"ip": ip.String(), "city": city.City.Names["en"], "country": city.Country.IsoCode})
	})
	service.Run(http.DefaultServeMux)
}

// database writes the networks into a file.
func database() (string, error) {
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "GeoLite2-City", RecordSize: 28, IPVersion: 4})
	if err != nil {
		return "", err
	}
	for i := range networks {
		city := "City " + strconv.Itoa(i)
		err := tree.Insert(&net.IPNet{IP: net.IPv4(20+byte(i>>16), byte(i>>8), byte(i), 0).To4(), Mask: net.CIDRMask(24, 32)}, mmdbtype.Map{
			"city":     mmdbtype.Map{"geoname_id": mmdbtype.Uint32(i), "names": mmdbtype.Map{"en": mmdbtype.String(city), "de": mmdbtype.String("Stadt " + city)}},
			"country":  mmdbtype.Map{"iso_code": mmdbtype.String([]string{"DE", "FR", "IT", "AT"}[i%4])},
			"location": mmdbtype.Map{"latitude": mmdbtype.Float64(i % 90), "longitude": mmdbtype.Float64(i % 180)},
		})
		if err != nil {
			return "", err
		}
	}
	f, err := os.CreateTemp("", "city-*.mmdb")
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = tree.WriteTo(f)
	return f.Name(), err
}
