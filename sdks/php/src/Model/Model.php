<?php

declare(strict_types=1);

namespace Paydesk\Model;

use Paydesk\Http\Answer;
use Paydesk\PaydeskException;

/**
 * What the API answers. A member `order_no` is the property `orderNo`. Amounts are strings: decimal strings, or the digits of whole
 * numbers, never floats. `raw` is the whole answer: members that a newer service adds are found there.
 */
abstract class Model
{
    /** @var array<string, mixed> */
    public readonly array $raw;

    /**
     * @internal
     * @throws PaydeskException if a member is missing or has another type
     */
    final public static function from(mixed $answer): static
    {
        $name = (new \ReflectionClass(static::class))->getShortName();
        if (!$answer instanceof \stdClass) {
            throw PaydeskException::invalidResponse("not a $name");
        }
        $raw = get_object_vars($answer);
        $values = [];
        foreach ((new \ReflectionMethod(static::class, '__construct'))->getParameters() as $parameter) {
            $member = self::memberOf($parameter->getName());
            if (array_key_exists($member, $raw)) {
                $values[] = Answer::plain(self::checked($parameter, $raw[$member], "$member of the $name"));
            } elseif ($parameter->isDefaultValueAvailable()) {
                $values[] = $parameter->getDefaultValue();
            } else {
                throw PaydeskException::invalidResponse("the $name lacks $member");
            }
        }
        $model = new static(...$values);
        $model->raw = array_map(Answer::plain(...), $raw);
        return $model;
    }

    /** The name of a property as the API spells it. */
    private static function memberOf(string $property): string
    {
        return strtolower((string) preg_replace('/[A-Z]/', '_$0', $property));
    }

    private static function checked(\ReflectionParameter $parameter, mixed $value, string $what): mixed
    {
        /** @var \ReflectionNamedType $type */
        $type = $parameter->getType();
        $is_amount = $parameter->getAttributes(Whole::class) !== [];
        if ($is_amount && (is_int($value) || (is_string($value) && preg_match('/^-?[0-9]+$/D', $value) === 1))) {
            return (string) $value;
        }
        $fits = match ($type->getName()) {
            'string' => is_string($value) && !$is_amount,
            'int' => is_int($value),
            'bool' => is_bool($value),
            'array' => is_array($value) || $value instanceof \stdClass,
            default => true,
        };
        if (!$fits && !($value === null && $type->allowsNull())) {
            throw PaydeskException::invalidResponse("$what has another type");
        }
        return $value;
    }
}
