<?php

declare(strict_types=1);

namespace Paydesk\Model;

/** @internal Marks a whole number that is kept as its digits, however large it is. */
#[\Attribute(\Attribute::TARGET_PARAMETER | \Attribute::TARGET_PROPERTY)]
final class Whole
{
}
