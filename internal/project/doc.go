// Package project reads unpark.yaml: what `unpark run`, `ab`, `check` and `load`
// are to do in one repository, so that they need no flags.
//
//   - [Find] looks for the file in a folder and those above it, up to the root of
//     the module or workspace.
//   - [Read] decodes it, strictly: all errors of a file come at once, each with file,
//     line and column, what is wrong, and a cure. docs/project.schema.json says the
//     same to editors.
//   - [File] holds what was written, each value with its place, so that what is found
//     out later (a port in use, a budget that cannot be read) can name the line too.
//
// Nothing of the environment is read here. ${NAME} in a value of environment,
// headers or a body is put in by [File.Expand] when it is used; it is refused
// where values end up in documents (arguments, URLs).
package project
