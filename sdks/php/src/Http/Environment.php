<?php

declare(strict_types=1);

namespace Paydesk\Http;

/** @internal What a call needs of the world. Tests provide their own. */
final class Environment
{
    /**
     * @param ?\Closure(Attempt): void $onAttempt
     * @param ?\Closure(): float $nowMs milliseconds of a clock that only goes forward
     * @param ?\Closure(): float $unixMs milliseconds since 1970
     * @param ?\Closure(float): void $sleep for milliseconds
     * @param ?\Closure(): float $random from 0 to 1
     */
    public function __construct(
        public readonly Transport $transport,
        public readonly float $attemptTimeoutS = 10.0,
        public readonly int $maxAttempts = 4,
        public readonly ?\Closure $onAttempt = null,
        private readonly ?\Closure $nowMs = null,
        private readonly ?\Closure $unixMs = null,
        private readonly ?\Closure $sleep = null,
        private readonly ?\Closure $random = null,
    ) {
    }

    public function nowMs(): float
    {
        return $this->nowMs === null ? hrtime(true) / 1e6 : ($this->nowMs)();
    }

    public function unixMs(): float
    {
        return $this->unixMs === null ? microtime(true) * 1000 : ($this->unixMs)();
    }

    public function sleep(float $ms): void
    {
        $this->sleep === null ? usleep((int) ($ms * 1000)) : ($this->sleep)($ms);
    }

    public function random(): float
    {
        return $this->random === null ? random_int(0, PHP_INT_MAX) / PHP_INT_MAX : ($this->random)();
    }
}
