// Package kubectl runs the user's kubectl, with the credentials, plugins and context that
// it has, and says what its failures mean and what to do about them.
//
//   - [Find] looks for it and asks which versions, context and namespace it has.
//   - [Client.Get] decodes what it prints, [Client.Run] passes bytes in and out.
//   - [Failure] is what went wrong, with the right that is missing and the command that
//     checks for it.
package kubectl
