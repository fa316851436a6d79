package paydesk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	firstDelay   = 250 * time.Millisecond
	longestDelay = 8 * time.Second
)

// Attempt is one request and its outcome, for logs and metrics. It contains no secret, no query and no body.
type Attempt struct {
	Method string
	// URL is without its query.
	URL string
	// Attempt counts from 1.
	Attempt int
	// Status is the HTTP status; 0 without an answer.
	Status int
	// Code is the error code; empty for a success.
	Code      string
	Duration  time.Duration
	RequestID string
	// RetryIn is the wait before the next attempt; nil if this was the last one.
	RetryIn *time.Duration
}

// environment is what a call needs of the world. Tests provide their own.
type environment struct {
	http           *http.Client
	attemptTimeout time.Duration
	maxAttempts    int
	onAttempt      func(Attempt)
	now            func() time.Time
	sleep          func(context.Context, time.Duration) error
	random         func() float64
}

// request is one request. Its body is serialized once, so that every retry sends the same bytes.
type request struct {
	method      string
	url         string
	token       string
	contentType string
	body        []byte
	// once: it is repeated only after an answer which says that nothing happened.
	once bool
}

// sleep waits, or gives the error of the context.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// sendWithRetries gives the JSON object of a success. It repeats the request unchanged after failures whose outcome is
// unknown, or that ask the client to wait. No attempt starts and no wait ends after the deadline.
func (e *environment) sendWithRetries(ctx context.Context, r request, deadline time.Time) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		if ctx.Err() != nil {
			return nil, ended(ctx)
		}
		started := e.now()
		answer, status, requestID, err := e.tryOnce(ctx, r)
		if err != nil && errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		told := Attempt{Method: r.method, URL: withoutQuery(r.url), Attempt: attempt, Status: status,
			Duration: e.now().Sub(started), RequestID: requestID}
		if err == nil {
			e.tell(told)
			return answer, nil
		}
		told.Code = err.Code
		delay := delayBeforeNext(err, attempt, e.random())
		if attempt >= e.maxAttempts || !isRetried(err, r.once) || !e.now().Add(delay).Before(deadline) {
			e.tell(told)
			return nil, err
		}
		told.RetryIn = &delay
		e.tell(told)
		if e.sleep(ctx, delay) != nil {
			return nil, ended(ctx)
		}
	}
}

func (e *environment) tell(attempt Attempt) {
	if e.onAttempt != nil {
		e.onAttempt(attempt)
	}
}

// ended is the error of a call that its context ended: the caller's own reason, or a time limit.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return &Error{Code: CodeTimeout, Description: "no result in time", cause: ctx.Err()}
}

func withoutQuery(address string) string {
	before, _, _ := strings.Cut(address, "?")
	return before
}

// isRetried: a 429 is retried only with Retry-After, and a 408 because the request did not arrive (D-1360). Other 4xx answers
// are not retried, because they would be the same.
func isRetried(err *Error, once bool) bool {
	if err.Status == http.StatusTooManyRequests {
		return err.RetryAfter != nil
	}
	if once {
		return err.Code == "rate_limit_unavailable" || err.Code == "request_timeout"
	}
	switch err.Status {
	case 0, 408, 500, 502, 503, 504:
		return true
	}
	return err.Code == CodeInvalidResponse && err.Status >= 200 && err.Status < 300
}

// delayBeforeNext is an exponential delay. Half of it is random, so that many clients do not retry at the same time. It is
// never shorter than Retry-After.
func delayBeforeNext(err *Error, attempt int, chance float64) time.Duration {
	delay := longestDelay
	if attempt < 6 {
		delay = firstDelay << (attempt - 1)
	}
	delay = delay/2 + time.Duration(float64(delay/2)*chance)
	if err.RetryAfter != nil && *err.RetryAfter > delay {
		return *err.RetryAfter
	}
	return delay
}

func (e *environment) tryOnce(ctx context.Context, r request) ([]byte, int, string, *Error) {
	ctx, cancel := context.WithTimeout(ctx, e.attemptTimeout)
	defer cancel()
	asked, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, 0, "", &Error{Code: CodeNetworkError, Description: "the address is not valid"}
	}
	asked.Header.Set("Accept", "application/json")
	asked.Header.Set("User-Agent", "paydesk-sdk-go/"+Version)
	if r.token != "" {
		asked.Header.Set("Authorization", "Bearer "+r.token)
	}
	if r.contentType != "" {
		asked.Header.Set("Content-Type", r.contentType)
	}
	response, err := e.http.Do(asked)
	if err != nil {
		return nil, 0, "", noAnswer(ctx, asked.URL, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, 0, "", noAnswer(ctx, asked.URL, err)
	}
	requestID := response.Header.Get("X-Request-Id")
	if failure := failureOf(response, text, requestID, e.now()); failure != nil {
		return nil, response.StatusCode, requestID, failure
	}
	return text, response.StatusCode, requestID, nil
}

// noAnswer names the origin alone: the query may name things of the merchant.
func noAnswer(ctx context.Context, address *url.URL, err error) *Error {
	var about *url.Error
	code := CodeNetworkError
	if errors.As(err, &about) {
		if about.Timeout() {
			code = CodeTimeout
		}
		err = about.Err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = CodeTimeout
	}
	return &Error{Code: code, Description: "no answer arrived from " + address.Scheme + "://" + address.Host, cause: err}
}

// failureOf is nil for a success: a 2xx with a JSON object without "error". So 202 provider_result_pending is no success.
func failureOf(response *http.Response, text []byte, requestID string, now time.Time) *Error {
	members := map[string]json.RawMessage{}
	isObject := utf8.Valid(text) && json.Unmarshal(text, &members) == nil && members != nil
	said, hasError := members["error"]
	if isObject && !hasError && response.StatusCode >= 200 && response.StatusCode < 300 {
		return nil
	}
	failure := &Error{Status: response.StatusCode, Code: CodeInvalidResponse, RequestID: requestID,
		Description: "the answer is not one of this service", RetryAfter: retryAfter(response.Header, now),
		Field: textOf(members["field"])}
	if code := textOf(said); code != "" {
		failure.Code = code
		failure.Description = textOf(members["error_description"])
		if failure.Description == "" {
			failure.Description = textOf(members["description"])
		}
	}
	return failure
}

func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

var wholeSeconds = regexp.MustCompile(`^[0-9]{1,9}\z`)

// retryAfter reads seconds, or an HTTP date, which proxies can send. It is nil if the header is absent or invalid.
func retryAfter(header http.Header, now time.Time) *time.Duration {
	text := header.Get("Retry-After")
	var wait time.Duration
	if wholeSeconds.MatchString(text) {
		seconds, _ := strconv.Atoi(text)
		wait = time.Duration(seconds) * time.Second
	} else {
		at, err := http.ParseTime(text)
		if err != nil {
			return nil
		}
		wait = time.Duration(math.Max(0, math.Ceil(at.Sub(now).Seconds()))) * time.Second
	}
	return &wait
}
