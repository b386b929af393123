// Package requests reads what to send and when: lists of targets, recordings of
// a browser, values for templates, and instants of arrivals.
//
// # Lists
//
// [Read] tells four formats apart by their first characters:
//
//   - a list of URLs, one a line, with an optional method and weight:
//     "http://host/", "9*http://host/", "2*POST http://host/";
//   - vegeta's text format: a line "METHOD URL", header lines, "@file" for the
//     body, a blank line before the next target (it is the same reader: a list
//     of URLs is targets without headers);
//   - vegeta's JSON format: one object a line, the body in base64;
//   - a HAR file (HTTP Archive 1.2): what a browser or proxy recorded.
//
// What one line says again is not sent from a second copy: identical requests
// are folded into one whose weight is the sum.
//
// A broken line is an error with file and line, never a request that is left
// out: a list of which a part is sent is another load than the one asked for.
//
// # Templates
//
// [Compile] turns text with {{counter}}, {{random}}, {{uuid}} and names from
// files into a [Template]. What it renders for request k is a pure function of
// seed and k, so that two runs of one plan send the same bytes, and rendering
// allocates nothing.
//
// # Arrivals
//
// [Timestamps] reads when requests came in, to replay them; [ParseStages] reads
// the notations for steps and spikes.
//
// All input is bounded; see the functions.
package requests
