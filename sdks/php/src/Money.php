<?php

declare(strict_types=1);

namespace Paydesk;

/** Exact comparison of decimal strings. */
final class Money
{
    /**
     * Whether two decimal strings are exactly the same number: `10`, `10.0` and `010.00` are equal. Compare the currencies, too.
     *
     * @throws \InvalidArgumentException for anything that is not an unsigned decimal string, so that a wrong value is neither a
     *     match nor a difference
     */
    public static function same(string $a, string $b): bool
    {
        $left = self::canonical($a);
        $right = self::canonical($b);
        if ($left === null || $right === null) {
            throw new \InvalidArgumentException('Money::same compares decimal strings such as "10.00"');
        }
        return $left === $right;
    }

    /** The canonical form of a decimal string (`007.50` becomes `7.5`); null if it is not a decimal string. */
    public static function canonical(string $text): ?string
    {
        if (preg_match('/^([0-9]+)(?:\.([0-9]+))?$/D', $text, $match) !== 1) {
            return null;
        }
        $whole = ltrim($match[1], '0');
        $fraction = rtrim($match[2] ?? '', '0');
        return ($whole === '' ? '0' : $whole) . ($fraction === '' ? '' : ".$fraction");
    }
}
