# Stage one builds the binary. Stage two contains only the binary. Both base images have exact tags. `bun run
# digests` adds their current digests, which are still missing here.
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
RUN bun scripts/build.ts

FROM docker.io/library/debian:bookworm-slim
LABEL org.opencontainers.image.title="Guildhall" \
      org.opencontainers.image.description="Community server: feed, jobs, prompts, profiles, messages and webhooks in one program" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.2.0"
COPY --from=build /src/dist/guildhall /usr/local/bin/guildhall
# A new volume gets the owner of this folder.
RUN install --directory --mode=0700 --owner=65532 --group=65532 /data
USER 65532:65532
WORKDIR /data
ENV GUILDHALL_HOST=0.0.0.0 GUILDHALL_DATA=/data
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
# The first start after an upgrade migrates the database before it answers.
HEALTHCHECK --interval=30s --timeout=10s --start-period=5m --retries=3 CMD ["guildhall", "health"]
ENTRYPOINT ["guildhall"]
CMD ["serve"]
