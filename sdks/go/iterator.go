package paydesk

// Iterator gives one item after the other. It reads further pages as they are needed:
//
//	for orders.Next() {
//		order := orders.Value()
//	}
//	if err := orders.Err(); err != nil { … }
type Iterator[T any] struct {
	// read gives the next page, and whether there are further ones.
	read  func() ([]T, bool, error)
	page  []T
	value T
	more  bool
	err   error
}

func newIterator[T any](read func() ([]T, bool, error)) *Iterator[T] {
	return &Iterator[T]{read: read, more: true}
}

// Next goes to the next item. It is false at the end, and after an error.
func (it *Iterator[T]) Next() bool {
	for len(it.page) == 0 {
		if it.err != nil || !it.more {
			return false
		}
		if it.page, it.more, it.err = it.read(); it.err != nil {
			return false
		}
	}
	it.value, it.page = it.page[0], it.page[1:]
	return true
}

// Value is the current item.
func (it *Iterator[T]) Value() T { return it.value }

// Err is what ended the loop, or nil at the end of the list.
func (it *Iterator[T]) Err() error { return it.err }

// All is for Go 1.23 and later: for order, err := range client.Orders(ctx, paydesk.OrderRange{}).All() { … }
func (it *Iterator[T]) All() func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for it.Next() {
			if !yield(it.value, nil) {
				return
			}
		}
		if it.err != nil {
			var none T
			yield(none, it.err)
		}
	}
}
