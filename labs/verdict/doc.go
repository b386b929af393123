// Package verdict holds the labs against unpark: each lab is built, run under
// load and investigated, and what unpark says of it is compared with expect.yaml.
package verdict
