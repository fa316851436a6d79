// Package paydesk is the merchant's side of Paydesk: a client for collection orders and the catalog, verifiers for
// notifications, and a helper for posting. It has no dependencies.
//
// Amounts are decimal strings or whole numbers (int64), never floats. Members of answers have the names of the API in Go's
// spelling: external_reference is ExternalReference.
package paydesk

// Version is the version of this module.
const Version = "0.2.0"
