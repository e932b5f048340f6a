package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// The rewriter's edits in terms of syntax. Wherever the number of lines changes, or a piece moves to another line, a
// /*line*/ comment sets the position right; with an empty file name it keeps the current one.

func (r *rewriter) offset(pos token.Pos) int { return r.file.Offset(pos) }

// line is the line of the text itself; a //line of the user's does not matter here.
func (r *rewriter) line(pos token.Pos) int { return r.file.Position(pos).Line }

func (r *rewriter) before(n ast.Node, text string) { r.edits.before(r.offset(n.Pos()), text) }

func (r *rewriter) after(n ast.Node, text string) { r.edits.after(r.offset(n.End()), text) }

// wrap puts an expression between two texts.
func (r *rewriter) wrap(n ast.Node, before, after string) {
	r.before(n, before)
	r.after(n, after)
}

// lineComment sets the position of what follows to pos.
func (r *rewriter) lineComment(pos token.Pos) string {
	at := r.prog.fset.Position(pos)
	return fmt.Sprintf("/*line :%d:%d*/", at.Line, max(at.Column, 1))
}

// replace puts text, which stands on the line of from, in the place of the source between two positions.
func (r *rewriter) replace(from, to token.Pos, text string) {
	if r.line(from) != r.line(to) || strings.ContainsAny(text, "\n") || strings.Contains(text, "/*line ") {
		text += r.lineComment(to)
	}
	r.edits.replace(r.offset(from), r.offset(to), text)
}

// take returns the rewritten text of a node that will stand elsewhere.
func (r *rewriter) take(n ast.Node) string {
	return r.edits.take(r.offset(n.Pos()), r.offset(n.End()))
}

// splice builds text out of new pieces and of moved ones, each on its own line.
type splice struct {
	r    *rewriter
	text strings.Builder
	line int
}

func (r *rewriter) spliceAt(pos token.Pos) *splice {
	return &splice{r: r, line: r.line(pos)}
}

// add appends new text, which stands wherever the splice stands.
func (s *splice) add(text ...string) {
	for _, t := range text {
		s.text.WriteString(t)
	}
}

// at moves the splice to the line of pos.
func (s *splice) at(pos token.Pos) {
	if line := s.r.line(pos); line != s.line {
		s.text.WriteString(s.r.lineComment(pos))
		s.line = line
	}
}

// move appends the rewritten text of a node.
func (s *splice) move(n ast.Node) {
	s.at(n.Pos())
	s.text.WriteString(s.r.take(n))
	s.line = s.r.line(n.End())
}

// lastArg adds an argument to a call. It goes before the closing parenthesis, since the last argument may move.
func (r *rewriter) lastArg(call *ast.CallExpr, text string) {
	if len(call.Args) > 0 {
		last := call.Args[len(call.Args)-1]
		if !endsInComma(r.src.text[r.offset(last.End()):r.offset(call.Rparen)]) {
			text = ", " + text
		}
	}
	r.edits.before(r.offset(call.Rparen), text)
}

// firstArg adds an argument in front of those of a call.
func (r *rewriter) firstArg(call *ast.CallExpr, text string) {
	if len(call.Args) > 0 {
		text += ", "
	}
	r.edits.after(r.offset(call.Lparen)+1, text)
}

// endsInComma tells whether the text between the last argument and the parenthesis has a comma outside of comments.
func endsInComma(gap []byte) bool {
	text := string(gap)
	for text != "" {
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		case text[0] == ',':
			return true
		default:
			text = text[1:]
		}
	}
	return false
}
