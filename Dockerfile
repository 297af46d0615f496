# The API and every worker: one image, a command each (docs/operations/install.md#containers).
# Another mirror, or one build of it by its digest: --build-arg NODE_IMAGE=node:24.21.0-trixie-slim@sha256:...
ARG NODE_IMAGE=node:24.21.0-trixie-slim
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/prepare/slim-packages.mjs scripts/prepare/
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund \
  # Patterns that an image may not contain (docs/designs/hyphenation.md).
  && (cd node_modules/hyphen/patterns && rm cs.js lv.js mk.js ro.js sk.js sh-cyrl.js sh-latn.js sr-cyrl.js) \
  # A third of all modules: TypeScript, Babel, source maps and declarations, which nothing loads.
  && node scripts/prepare/slim-packages.mjs \
  && ln -s ../../scripts/shelfwire.mjs node_modules/.bin/shelfwire

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Shelfwire" \
  org.opencontainers.image.description="The open server side of electronic shelf labels" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production PORT=8080 PATH=/app/node_modules/.bin:$PATH
# Freed memory goes back to the system (docs/operations/scale.md#memory).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY api api
COPY domain domain
COPY drawing drawing
COPY queues queues
COPY records records
COPY runtime runtime
COPY schemas schemas
COPY scripts scripts
COPY workers workers
COPY docs/problems docs/problems
COPY docs/typescript-client/index.ts docs/typescript-client/
COPY LICENSE THIRD-PARTY-NOTICES ./
USER node
EXPOSE 8080
# Workers take no HTTP: their watchdogs end them, so they switch this off.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "api/process.ts"]
