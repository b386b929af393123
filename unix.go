package unpark

import "strings"

// Unix is the scheme of URLs whose host is a unix socket.
const Unix = "unix://"

// SplitUnix splits a URL such as unix:///run/app.sock:/path?query into the path of the
// socket and the request target: the first ":/" is where the one ends and the other
// begins, and a colon at the end stands for ":/". A name that begins with @ is
// abstract (unix(7)). ok is false for what is no such URL.
func SplitUnix(address string) (socket, target string, ok bool) {
	rest, is := strings.CutPrefix(address, Unix)
	if !is {
		return "", "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	socket, target, found := strings.Cut(rest, ":/")
	if !found {
		if socket, found = strings.CutSuffix(rest, ":"); !found {
			return "", "", false
		}
	}
	if socket == "" || socket == "@" || strings.Contains(socket, "?") {
		return "", "", false
	}
	return socket, "/" + target, true
}

// UnixURL is the URL of a request target on a unix socket.
func UnixURL(socket, target string) string {
	return Unix + socket + ":/" + strings.TrimPrefix(target, "/")
}
