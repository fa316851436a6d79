# The image of the Paydesk service: Node.js, the built service, and the packages that it loads. It has no embedded
# database, no demo, no compiler and no npm. docs/operating/container.md tells how to build and to run it.

# Has Node.js 24, npm, and "strip", without which the image is larger; needs the C library of BASE_IMAGE. Nothing of it but the
# program "node" reaches the image.
ARG NODE_IMAGE=node:24-bookworm
# Any small system with glibc and libstdc++.
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
# First only what decides which packages are installed, so that a changed source does not install them again.
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/sdk/package.json packages/sdk/
COPY packages/cardsim/package.json packages/cardsim/
COPY packages/checkout/package.json packages/checkout/
COPY packages/console/package.json packages/console/
COPY packages/docs/package.json packages/docs/
COPY packages/server/package.json packages/server/
COPY packages/medusa-payment/package.json packages/medusa-payment/
COPY packages/vendure-payment/package.json packages/vendure-payment/
COPY bench/package.json bench/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && node deploy/container/collect.js /out

FROM ${BASE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="Paydesk" \
      org.opencontainers.image.description="A self-hosted payment service on PostgreSQL" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
COPY --from=build /out/ /
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    PAYDESK_OPS_PORT=9090
WORKDIR /app
# A number, so that Kubernetes can see that it is not root.
USER 10001:10001
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
# Whether the process is alive. Readiness is for balancers: a restart mends no database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "/app/healthcheck.js"]
ENTRYPOINT ["paydesk"]
CMD ["serve"]
