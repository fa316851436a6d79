package paydesk

import (
	"errors"
	"fmt"
	"time"
)

// ErrArgument is wrapped by errors about wrong arguments. Nothing was sent.
var ErrArgument = errors.New("invalid argument")

// Codes of the client itself; all others are the service's error.
const (
	CodeNetworkError    = "network_error"
	CodeTimeout         = "timeout"
	CodeInvalidResponse = "invalid_response"
)

// Error says that a call failed. Branch on Status and Code, never on the text. It contains no secret, no token and no body.
type Error struct {
	// Status is the HTTP status, or 0 if no answer arrived.
	Status int
	// Code is the service's error, or CodeNetworkError, CodeTimeout or CodeInvalidResponse.
	Code string
	// Description is for people; empty if there is none.
	Description string
	// Field is the parameter that caused the error; empty if the service names none.
	Field string
	// RetryAfter is how long the service asks the client to wait; nil if it does not ask.
	RetryAfter *time.Duration
	// RequestID is the id of this call, for questions to the operator.
	RequestID string

	cause error
}

func (e *Error) Error() string {
	text := fmt.Sprintf("paydesk: %s (HTTP %d)", e.Code, e.Status)
	if e.Description != "" {
		text += ": " + e.Description
	}
	return text
}

// Unwrap gives the error of the connection, if there was one.
func (e *Error) Unwrap() error { return e.cause }

// invalidResponse is the error for an answer that is not what the call gives.
func invalidResponse(description string) *Error {
	return &Error{Status: 200, Code: CodeInvalidResponse, Description: description}
}

func argumentError(text string) error { return fmt.Errorf("paydesk: %w: %s", ErrArgument, text) }
