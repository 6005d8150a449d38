# Stage one builds the binary; stage two holds it and nothing that could build or fetch anything.
FROM oven/bun:1.4.5-slim AS build
WORKDIR /src
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --production
COPY tsconfig.json bunfig.toml ./
COPY scripts scripts
COPY src src
COPY data/seed data/seed
RUN bun scripts/build.ts

FROM debian:bookworm-slim
RUN mkdir /data && chown 65532:65532 /data
COPY --from=build /src/dist/guildhall /usr/local/bin/guildhall
USER 65532:65532
ENV GUILDHALL_HOST=0.0.0.0 GUILDHALL_DATA=/data
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
ENTRYPOINT ["guildhall"]
CMD ["serve"]
