# Stage one builds the binary; stage two holds it and nothing that could build or fetch anything. The names of
# both bases are exact; `bun run digests` writes beside each the digest that its registry has for it now: there are
# none yet, as no registry was reached where this was written.
FROM docker.io/oven/bun:1.4.5-slim AS build
WORKDIR /src
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --production
COPY tsconfig.json bunfig.toml LICENSE ./
COPY scripts scripts
COPY locales locales
COPY src src
COPY deploy deploy
COPY data/seed data/seed
COPY docs/oauth.md docs/graphql.md docs/
COPY docs/samples docs/samples
COPY deploy deploy
RUN bun scripts/build.ts

FROM docker.io/library/debian:bookworm-slim
LABEL org.opencontainers.image.title="Guildhall" \
      org.opencontainers.image.description="A home for a community of builders, as one file." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.2.0"
COPY --from=build /src/dist/guildhall /usr/local/bin/guildhall
# A volume that is new takes over whose it is.
RUN install --directory --mode=0700 --owner=65532 --group=65532 /data
USER 65532:65532
WORKDIR /data
ENV GUILDHALL_HOST=0.0.0.0 GUILDHALL_DATA=/data
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
# The first start after an upgrade migrates before it answers.
HEALTHCHECK --interval=30s --timeout=10s --start-period=5m --retries=3 CMD ["guildhall", "health"]
ENTRYPOINT ["guildhall"]
CMD ["serve"]
