// Surveys of a town, over fasthttp: answers come as lines of text, and a page says of each how much of it was answered. A question may be
// left out, which is no fault, and many are.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"strconv"

	"github.com/joomcode/errorx"
	"github.com/valyala/fasthttp"

	"wild/service"
)

var (
	surveys  = errorx.NewNamespace("surveys")
	leftOut  = surveys.NewType("left_out", errorx.NotFound())
	noNumber = surveys.NewType("no_number")
)

// outcome is what came of one question.
type outcome struct {
	Answered, LeftOut, Wrong, Sum int
}

// value is a cell as a number.
func value(cell []byte) (int, error) {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 || cell[0] == '-' {
		return 0, leftOut.NewWithNoMessage()
	}
	n, err := strconv.Atoi(string(cell))
	if err != nil {
		return 0, noNumber.NewWithNoMessage()
	}
	return n, nil
}

// add counts an answer.
func (o *outcome) add(cell []byte) error {
	n, err := value(cell)
	if err != nil {
		return err
	}
	o.Answered++
	o.Sum += n
	return nil
}

// survey reads all answers.
func survey(lines []byte) []outcome {
	var out []outcome
	for line := range bytes.Lines(lines) {
		q := 0
		for cell := range bytes.SplitSeq(bytes.TrimRight(line, "\n"), []byte{';'}) {
			if q == len(out) {
				out = append(out, outcome{})
			}
			switch err := out[q].add(cell); {
			case err == nil:
			case errorx.IsNotFound(err):
				out[q].LeftOut++
			default:
				out[q].Wrong++
			}
			q++
		}
	}
	return out
}

func serve(ctx *fasthttp.RequestCtx) {
	if !ctx.IsPost() || string(ctx.Path()) != "/surveys" {
		ctx.Error("not found", fasthttp.StatusNotFound)
		return
	}
	body, err := json.Marshal(survey(ctx.PostBody()))
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.Write(body)
}

func main() {
	if service.After() {
		leftOut = surveys.NewType("unanswered", errorx.NotFound()).ApplyModifiers(errorx.TypeModifierOmitStackTrace)
	}
	srv := &fasthttp.Server{Handler: serve, Name: "surveys"}
	ln := service.Listen()
	go func() { log.Println(srv.Serve(ln)) }()
	service.Wait()
}
