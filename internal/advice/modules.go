//go:build !nomodules

package advice

// modules says that the catalogue has what it says of modules.
const modules = true
