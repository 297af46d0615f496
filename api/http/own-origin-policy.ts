const DIRECTIVES = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
};

/**
 * The Content-Security-Policy of a page: it loads and fetches only from its own origin, runs no inline scripts, submits
 * no forms and cannot be framed, except for the given directives.
 */
export const ownOriginPolicy = (directives: Readonly<Record<string, string>> = {}): string =>
  Object.entries({ ...DIRECTIVES, ...directives })
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
