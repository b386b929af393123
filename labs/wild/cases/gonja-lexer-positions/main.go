// Drafts of mails: a shop writes the text of a mail in an editor, and each time it pauses is shown the mail as a
// customer would get it, in the layout of the shop.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/exec"

	"wild/service"
)

// draft is what the editor has.
type draft struct {
	Subject  string `json:"subject"`
	Text     string `json:"text"` // with fields in brackets
	Customer string `json:"customer"`
}

// preview is what it shows.
type preview struct {
	Subject string `json:"subject"`
	HTML    string `json:"html"`
	Digest  string `json:"digest"`
}

// fields are what a text may have.
var fields = strings.NewReplacer(
	"[customer]", "{{ customer | title }}", "[total]", "{{ total | round(2) }}", "[shop]", "{{ shop | upper }}",
	"[if large]", "{% if total > 100 %}", "[end]", "{% endif %}",
)

// shops have a layout each, with a place for the text.
type shops map[string]string

func (s shops) preview(shop string, d draft) (preview, error) {
	t, err := gonja.FromString(strings.Replace(s[shop], "<!-- text -->", fields.Replace(d.Text), 1))
	if err != nil {
		return preview{}, fmt.Errorf("template: %w", err)
	}
	html, err := t.ExecuteToString(exec.NewContext(map[string]any{
		"customer": d.Customer, "subject": d.Subject, "shop": shop, "total": 129.5,
		"items": []map[string]any{{"name": "Lamp", "count": 2}, {"name": "Shelf", "count": 1}, {"name": "Rug", "count": 1}},
	}))
	if err != nil {
		return preview{}, err
	}
	sum := sha256.Sum256([]byte(html))
	return preview{d.Subject, html, hex.EncodeToString(sum[:8])}, nil
}

func main() {
	s := shops{"lamps": layout("lamps", 10), "rugs": layout("rugs", 16), "garden": layout("garden", 22)}
	http.HandleFunc("POST /previews/{shop}", func(w http.ResponseWriter, r *http.Request) {
		shop := r.PathValue("shop")
		if _, ok := s[shop]; !ok {
			http.NotFound(w, r)
			return
		}
		var d draft
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&d); err != nil || d.Subject == "" {
			http.Error(w, "a draft has a subject", http.StatusBadRequest)
			return
		}
		p, err := s.preview(shop, d)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(p)
	})
	service.Run(http.DefaultServeMux)
}

// layout is a page of tables with their styles beside them, as mails are made, with so many teasers.
func layout(shop string, teasers int) string {
	var b strings.Builder
	b.WriteString("<html><head><title>{{ subject }}</title></head>\n<body style=\"margin:0;padding:0;background:#f4f4f4\">\n")
	b.WriteString("<table role=\"presentation\" width=\"600\" style=\"border-collapse:collapse;font-family:Arial,sans-serif\">\n")
	b.WriteString("<tr><td style=\"padding:24px;font-size:16px;line-height:24px\">\n<!-- text -->\n</td></tr>\n")
	b.WriteString("<tr><td><ul>{% for item in items %}<li>{{ loop.index }}. {{ item.name | upper }}{% if item.count > 1 %} ({{ item.count }} pieces){% endif %}</li>\n{% endfor %}</ul></td></tr>\n")
	for i := range teasers {
		fmt.Fprintf(&b, "<tr>\n<td style=\"padding:8px 24px;border-top:1px solid #dddddd;color:#333333\">\n")
		fmt.Fprintf(&b, "<img src=\"https://img.example/%s/%d.jpg\" width=\"120\" alt=\"{{ shop | title }} {{ %d + 1 }}\">\n", shop, i, i)
		fmt.Fprintf(&b, "{%% if total > %d %%}<a href=\"https://%s.example/offers/%d?c={{ customer | urlencode }}\">For {{ customer | default('you') }}</a>\n{%% endif %%}", i*20, shop, i)
		b.WriteString("</td>\n</tr>\n")
	}
	b.WriteString("</table>\n</body></html>\n")
	return b.String()
}
