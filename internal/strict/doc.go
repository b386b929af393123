// Package strict reads YAML files in which every word means something: what is not
// known is an error with file, line and column, and never passed over.
//
//   - [Parse] decodes the syntax of one file into a [Document].
//   - [Document.Pairs] walks a mapping and refuses what hides a key.
//   - [Document.Failf], [Document.FailAtf] and [Document.Unknown] collect what is
//     wrong, so that all errors of a file are told at once ([Document.Err]).
//   - [Text] is a value with its place, for what is found out after reading.
//
// What the words mean is up to the packages that read with it.
package strict
