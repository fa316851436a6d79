package paydesk

import (
	"strings"
	"unicode"
)

// OrderState is what matters for posting, of an order or of a notification: see their method State.
type OrderState struct {
	ExternalReference string
	Amount            string
	Currency          string
	Status            string
	StatusVersion     int64
	TestMode          bool
	// EventID is the confirmed payment; empty if there is none.
	EventID string
}

// Expected is your own order, which a payment is compared with.
type Expected struct {
	ExternalReference string
	Amount            string
	Currency          string
	// AcceptTestMode also accepts payments of test channels.
	AcceptTestMode bool
}

// StoredState is what you have stored about a collection order.
type StoredState struct {
	StatusVersion int64
	// PostedEventID is the payment that was posted; empty if none was.
	PostedEventID string
}

// Action is what to do with the state of an order.
type Action string

const (
	// Post: book the payment under EventID (unique in your table), fulfil, and store the version, in one transaction.
	Post Action = "post"
	// Record: only store status and version.
	Record Action = "record"
	// Ignore: a repetition, or older than your state.
	Ignore Action = "ignore"
	// Mismatch: store nothing, and let a person look at Differences.
	Mismatch Action = "mismatch"
)

// Decision is the result of DecidePosting.
type Decision struct {
	Action Action
	// EventID is the payment to post; empty for other actions.
	EventID string
	// Differences name the members that do not match, as the API spells them.
	Differences []string
}

// IsPaid tells whether a status confirms the payment. Only "paid" does; a status of a later version does not.
func IsPaid(status string) bool { return status == StatusPaid }

// DecidePosting tells what to do with the current state of an order. stored is nil for an order that you have not stored.
//
// It is pure, so notifications, queries and reconciliation can all use it, as often as they like. Read stored under a lock, or
// rely on the unique event: two parallel calls must not post a payment twice.
func DecidePosting(stored *StoredState, order OrderState, expected Expected) Decision {
	differences := differencesOf(expected, order)
	if order.TestMode && !expected.AcceptTestMode {
		differences = append(differences, "test_mode")
	}
	if len(differences) > 0 {
		return Decision{Action: Mismatch, Differences: differences}
	}
	if stored != nil && order.StatusVersion < stored.StatusVersion {
		return Decision{Action: Ignore}
	}
	if IsPaid(order.Status) {
		posted := ""
		if stored != nil {
			posted = stored.PostedEventID
		}
		// Without an event there is no key for the posting. A second event for the same order is not posted either.
		if order.EventID == "" || (posted != "" && posted != order.EventID) {
			return Decision{Action: Mismatch, Differences: []string{"event_id"}}
		}
		if posted == "" {
			return Decision{Action: Post, EventID: order.EventID}
		}
	}
	if stored != nil && order.StatusVersion == stored.StatusVersion {
		return Decision{Action: Ignore}
	}
	return Decision{Action: Record}
}

// isTrimmed tells whether the service trims a character off a reference.
func isTrimmed(char rune) bool { return unicode.IsSpace(char) || char == '\ufeff' }

// differencesOf compares amounts as numbers and other members as text.
func differencesOf(expected Expected, order OrderState) []string {
	var found []string
	if strings.TrimFunc(expected.ExternalReference, isTrimmed) != order.ExternalReference {
		found = append(found, "external_reference")
	}
	wanted, wantedFits := canonicalAmount(expected.Amount)
	given, givenFits := canonicalAmount(order.Amount)
	if !wantedFits || !givenFits || wanted != given {
		found = append(found, "amount")
	}
	if expected.Currency != order.Currency {
		found = append(found, "currency")
	}
	return found
}
