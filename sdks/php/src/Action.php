<?php

declare(strict_types=1);

namespace Paydesk;

/** What to do with the state of an order. */
enum Action: string
{
    /** Book the payment under the event (unique in your table), fulfil, and store the version, in one transaction. */
    case Post = 'post';
    /** Only store status and version. */
    case Record = 'record';
    /** A repetition, or older than your state. */
    case Ignore = 'ignore';
    /** Store nothing, and let a person look at the differences. */
    case Mismatch = 'mismatch';
}
