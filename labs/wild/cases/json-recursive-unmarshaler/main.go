// An import of discussions: a thread is posted as JSON, with the replies to each
// comment inside of it, and what a comment leaves out is set.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"wild/service"
)

type comment struct {
	Author   string    `json:"author"`
	Text     string    `json:"text"`
	Language string    `json:"language,omitempty"`
	Votes    int       `json:"votes"`
	Replies  []comment `json:"replies,omitempty"`
}

func (c *comment) defaults() {
	if c.Language == "" {
		c.Language = "en"
	}
}

func (c *comment) count() (comments, votes int) {
	comments, votes = 1, c.Votes
	for i := range c.Replies {
		n, v := c.Replies[i].count()
		comments, votes = comments+n, votes+v
	}
	return comments, votes
}

// checked is a comment that sets what is left out as it is decoded.
type checked comment

func (c *checked) UnmarshalJSON(data []byte) error {
	var plain struct {
		Author   string    `json:"author"`
		Text     string    `json:"text"`
		Language string    `json:"language"`
		Votes    int       `json:"votes"`
		Replies  []checked `json:"replies"`
	}
	if err := json.Unmarshal(data, &plain); err != nil {
		return err
	}
	*c = checked{Author: plain.Author, Text: plain.Text, Language: plain.Language, Votes: plain.Votes}
	for _, r := range plain.Replies {
		c.Replies = append(c.Replies, comment(r))
	}
	(*comment)(c).defaults()
	return nil
}

// parse decodes in one pass, and sets what is left out afterwards.
func parse(dec *json.Decoder) (comment, error) {
	var c comment
	err := dec.Decode(&c)
	var walk func(*comment)
	walk = func(c *comment) {
		c.defaults()
		for i := range c.Replies {
			walk(&c.Replies[i])
		}
	}
	walk(&c)
	return c, err
}

func main() {
	after := service.After()
	sample, err := json.Marshal(thread(depth))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/sample", func(w http.ResponseWriter, r *http.Request) { w.Write(sample) })
	http.HandleFunc("/threads", func(w http.ResponseWriter, r *http.Request) {
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
		var c comment
		var err error
		if after {
			c, err = parse(dec)
		} else {
			err = dec.Decode((*checked)(&c))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		n, votes := c.count()
		fmt.Fprintf(w, "%d comments, %d votes, in %s\n", n, votes, c.Language)
	})
	service.Run(http.DefaultServeMux)
}

const depth = 32

// thread is one in which each reply is answered, as two people discuss.
func thread(n int) comment {
	c := comment{Author: fmt.Sprint("person ", n%5), Text: strings.Repeat("I do not agree with this. ", 4), Votes: n}
	if n > 1 {
		c.Replies = []comment{{Author: "someone", Text: "Nor do I.", Votes: 1}, thread(n - 1)}
	}
	return c
}
