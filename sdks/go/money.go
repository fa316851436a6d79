package paydesk

import (
	"regexp"
	"strings"
)

var decimal = regexp.MustCompile(`^([0-9]+)(?:\.([0-9]+))?\z`)

// canonicalAmount gives the canonical form of a decimal string (007.50 becomes 7.5), and whether it is one.
func canonicalAmount(text string) (string, bool) {
	match := decimal.FindStringSubmatch(text)
	if match == nil {
		return "", false
	}
	whole := strings.TrimLeft(match[1], "0")
	if whole == "" {
		whole = "0"
	}
	fraction := strings.TrimRight(match[2], "0")
	if fraction == "" {
		return whole, true
	}
	return whole + "." + fraction, true
}

// SameAmount tells whether two decimal strings are exactly the same number: 10, 10.0 and 010.00 are equal. Compare the
// currencies, too. The error, which wraps ErrArgument, is for anything that is not an unsigned decimal string, so that a wrong
// value is neither a match nor a difference.
func SameAmount(a, b string) (bool, error) {
	left, leftFits := canonicalAmount(a)
	right, rightFits := canonicalAmount(b)
	if !leftFits || !rightFits {
		return false, argumentError(`SameAmount compares decimal strings such as "10.00"`)
	}
	return left == right, nil
}
