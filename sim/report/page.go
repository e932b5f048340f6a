package report

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"strings"
)

//go:embed page
var parts embed.FS

// scripts are the parts of the page's program, in their order.
var scripts = []string{"data.js", "view.js", "chart.js", "overview.js", "details.js", "input.js"}

// Page returns the timeline as a page of HTML. Read returns a source file by its name in places; where it fails, the page
// shows no source.
func Page(t Timeline, read func(file string) ([]byte, error)) ([]byte, error) {
	data, err := json.Marshal(pack(t, read)) // escapes what could end a script element
	if err != nil {
		return nil, err
	}
	layout, err := template.ParseFS(parts, "page/page.html")
	if err != nil {
		return nil, err
	}
	style, err := parts.ReadFile("page/style.css")
	if err != nil {
		return nil, err
	}
	var script strings.Builder
	for _, name := range scripts {
		text, err := parts.ReadFile("page/" + name)
		if err != nil {
			return nil, err
		}
		script.Write(text)
	}
	var b bytes.Buffer
	err = layout.Execute(&b, map[string]any{
		"Title": title(t.Finding), "Style": template.CSS(style), "Script": template.JS(script.String()), "Data": template.JS(data),
	})
	return b.Bytes(), err
}

func title(f Finding) string {
	if f.Kind == "" {
		return "snapstorm timeline"
	}
	return f.Kind + ": " + f.Summary
}
