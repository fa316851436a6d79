<?php

declare(strict_types=1);

namespace Paydesk\Tests;

require_once __DIR__ . '/../autoload.php';

/** Counts what was checked and says what was wrong. */
final class Check
{
    public static int $checked = 0;
    public static int $wrong = 0;

    /** Runs a test; what it throws is a failure. */
    public static function test(string $name, \Closure $work): void
    {
        self::$checked++;
        try {
            $work();
        } catch (\Throwable $error) {
            self::$wrong++;
            fwrite(STDERR, "FAILED $name: " . get_class($error) . ": {$error->getMessage()}\n");
        }
    }

    public static function same(mixed $expected, mixed $actual, string $what = 'value'): void
    {
        if ($expected !== $actual) {
            $text = static fn (mixed $value): string => var_export($value, true);
            throw new \UnexpectedValueException("$what is {$text($actual)} instead of {$text($expected)}");
        }
    }

    /** @param class-string<\Throwable> $class */
    public static function throws(string $class, \Closure $work): void
    {
        try {
            $work();
        } catch (\Throwable $error) {
            self::same(true, $error instanceof $class, get_class($error) . " is a $class");
            return;
        }
        throw new \UnexpectedValueException("nothing was thrown instead of $class");
    }

    /** The members of the expectation are there and equal; digits may be a whole number. */
    public static function contains(mixed $expected, mixed $actual, string $at): void
    {
        if (is_array($expected)) {
            self::same(true, is_array($actual), "$at as a list or object");
            if (array_is_list($expected)) {
                self::same(count($expected), count($actual), "the length of $at");
            }
            foreach ($expected as $name => $value) {
                self::same(true, array_key_exists($name, $actual), "$name in $at");
                self::contains($value, $actual[$name], "$at.$name");
            }
            return;
        }
        self::same($expected, is_int($actual) && is_string($expected) ? (string) $actual : $actual, $at);
    }

    /** @return array<string, mixed> a file of vectors; the bodies of answers keep the difference of {} and [] */
    public static function vectors(string $file): array
    {
        $text = file_get_contents(__DIR__ . "/../../../packages/sdk/vectors/$file.json");
        $flags = JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING;
        $found = json_decode((string) $text, true, 512, $flags);
        $objects = json_decode((string) $text, false, 512, $flags);
        foreach ($objects->vectors ?? [] as $i => $vector) {
            foreach (['answers', 'token_answers'] as $queue) {
                foreach ($vector->{$queue} ?? [] as $j => $answer) {
                    $found['vectors'][$i][$queue][$j]['body'] = $answer->body ?? null;
                }
            }
        }
        return $found;
    }
}
