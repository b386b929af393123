package main

import (
	"os"
	"strings"

	"github.com/unpark-go/unpark"
)

// socketURL says where in a URL of a unix socket the path of the socket ends, as a
// plan has it: unix:///run/app.sock:/path. That is, in this order:
//
//   - at the first ":/", or at a colon at the end;
//   - after the longest part of the path that is a socket now;
//   - after the first part that is called .sock or .socket: it may be opened later.
//
// The name of an abstract socket (@name) ends at the colon alone. Other URLs are
// returned as they are.
func socketURL(address string, isSocket func(path string) bool) (string, error) {
	if !strings.HasPrefix(address, unpark.Unix) {
		return address, nil
	}
	if socket, target, ok := unpark.SplitUnix(address); ok {
		return unpark.UnixURL(socket, target), nil
	}
	rest, _, _ := strings.Cut(strings.TrimPrefix(address, unpark.Unix), "#")
	path, query, queried := strings.Cut(rest, "?")
	end := socketEnd(path, isSocket)
	if end < 0 {
		return "", usage("--url %q: no part of it is a socket yet: say with a colon where its path ends, such as unix:///run/app.sock:/path", unpark.RedactURL(address))
	}
	target := path[end:]
	if queried {
		target += "?" + query
	}
	if !strings.HasPrefix(target, "/") {
		target = "/" + target
	}
	return unpark.UnixURL(path[:end], target), nil
}

// socketEnd is the length of the part of a path that is the socket, −1 when there is
// none.
func socketEnd(path string, isSocket func(string) bool) int {
	if path == "" || path[0] == '@' {
		return -1
	}
	named := -1
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		if isSocket(path[:end]) {
			return end
		}
		if strings.HasSuffix(path[:end], ".sock") || strings.HasSuffix(path[:end], ".socket") {
			named = end // the last one that is found is the first of the path
		}
	}
	return named
}

// isSocket reports whether there is a unix socket at a path.
func isSocket(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&os.ModeSocket != 0
}
