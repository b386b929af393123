// Boards of a cable car: a board in the valley shows the next cabins, the wait and the weather on top as a small animated
// picture, which it fetches again every few seconds.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"net/http"
	"strconv"

	"wild/service"
)

const wide, high, frames = 96, 40, 2

// A board knows these colours and no others.
var (
	night  = color.RGBA{8, 12, 40, 255}
	snow   = color.RGBA{240, 244, 250, 255}
	amber  = color.RGBA{255, 176, 0, 255}
	green  = color.RGBA{40, 190, 90, 255}
	red    = color.RGBA{220, 40, 40, 255}
	rock   = color.RGBA{96, 90, 84, 255}
	colors = color.Palette{night, snow, amber, green, red, rock}
)

// station is what there is to show of a station.
type station struct {
	wait   int // minutes
	cabins [5]int
	wind   float64
	open   bool
}

func look(id int) station {
	s := station{wait: (id * 7) % 40, wind: float64((id*13)%90) / 10, open: id%9 != 4}
	for i := range s.cabins {
		s.cabins[i] = (id*3 + i*11) % 9
	}
	return s
}

// digits are those of a board, three columns of five lamps each.
var digits = [10]uint16{0x7b6f, 0x4924, 0x73e7, 0x79e7, 0x49ed, 0x79cf, 0x7bcf, 0x4927, 0x7bef, 0x79ef}

// write puts a number on a picture, in large lamps.
func write(to draw.Image, x, y, number int, c color.Color) {
	for _, d := range strconv.Itoa(number) {
		for bit := range 15 {
			if digits[d-'0']>>bit&1 == 1 {
				at := image.Rect(0, 0, 3, 3).Add(image.Pt(x+bit%3*4, y+bit/3*4))
				draw.Draw(to, at, image.NewUniform(c), image.Point{}, draw.Src)
			}
		}
		x += 15
	}
}

// paint draws one frame.
func paint(to draw.Image, s station, frame int) {
	draw.Draw(to, to.Bounds(), image.NewUniform(night), image.Point{}, draw.Src)
	for x := range wide { // the mountain
		top := high - 8 - int(10+8*math.Sin(float64(x)/17)+5*math.Sin(float64(x)/5))
		draw.Draw(to, image.Rect(x, top, x+1, high), image.NewUniform(rock), image.Point{}, draw.Src)
		draw.Draw(to, image.Rect(x, top, x+1, top+3), image.NewUniform(snow), image.Point{}, draw.Src)
	}
	light := green
	if !s.open {
		light = red
	}
	draw.Draw(to, image.Rect(4, 4, 12, 12), image.NewUniform(light), image.Point{}, draw.Src)
	write(to, 20, 4, s.wait, amber)
	for i, people := range s.cabins {
		x := (i*34 + frame*5) % wide
		draw.Draw(to, image.Rect(x, 20+i%2*6, x+14, 32+i%2*6), image.NewUniform(amber), image.Point{}, draw.Src)
		draw.Draw(to, image.Rect(x+2, 22+i%2*6, x+2+people, 26+i%2*6), image.NewUniform(night), image.Point{}, draw.Src)
	}
	for i := range 20 { // flakes
		x := (i*37 + frame*int(1+s.wind)) % wide
		y := (i*23 + frame*4) % high
		to.Set(x, y, snow)
	}
}

// board is the animation of a station.
func board(s station) ([]byte, error) {
	all := gif.GIF{}
	area := image.Rect(0, 0, wide, high)
	for frame := range frames {
		all.Delay = append(all.Delay, 40)
		if service.After() {
			one := image.NewPaletted(area, colors)
			paint(one, s, frame)
			all.Image = append(all.Image, one)
			continue
		}
		whole := image.NewRGBA(area)
		paint(whole, s, frame)
		one, err := paletted(whole)
		if err != nil {
			return nil, err
		}
		all.Image = append(all.Image, one)
	}
	var out bytes.Buffer
	err := gif.EncodeAll(&out, &all)
	return out.Bytes(), err
}

// paletted has a picture written and read again, as a GIF has it.
func paletted(whole image.Image) (*image.Paletted, error) {
	var b bytes.Buffer
	if err := gif.Encode(&b, whole, nil); err != nil {
		return nil, err
	}
	one, err := gif.Decode(&b)
	if err != nil {
		return nil, err
	}
	return one.(*image.Paletted), nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("station"))
	if err != nil || id < 0 || id > 400 {
		http.Error(w, "no such station", http.StatusNotFound)
		return
	}
	picture, err := board(look(id))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/gif")
	w.Write(picture)
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stations/{station}/board.gif", serve)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "well") })
	service.Run(mux)
}
