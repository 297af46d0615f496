import { hash } from "node:crypto";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 10vh auto; padding: 0 1rem; color: #1c2530; }
label { display: block; margin-top: 1rem; }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid #8b96a5; border-radius: 4px; }
button { margin-top: 1.5rem; padding: .5rem 1.5rem; font: inherit; }
hr { margin-top: 1.5rem; border: 0; border-top: 1px solid #d5dae0; }
[role=alert] { padding: .5rem 1rem; background: #fdecea; border-left: 4px solid #b3261e; }
`;

/** The pages have one style and no script. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "img-src data:",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The page that asks for a name and password, or a token. `message` says why a login failed, or another is needed. */
export const loginPage = (action: string, next: string, message?: string): string =>
  page(
    "Log in",
    `${message === undefined ? "" : `<p role="alert">${escaped(message)}</p>`}
<form method="post" action="${escaped(action)}">
<input type="hidden" name="next" value="${escaped(next)}">
<label>Name <input name="name" autocomplete="username" autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<hr>
<label>Or a token <input name="token" type="password" autocomplete="off"></label>
<button>Log in</button>
</form>`,
  );

/** The page that asks whether to log out: a link alone ends no session. */
export const logoutPage = (action: string, name: string): string =>
  page(
    "Log out",
    `<p>You are logged in as ${escaped(name)}.</p>
<form method="post" action="${escaped(action)}"><button>Log out</button></form>`,
  );

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwire: ${title.toLowerCase()}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>Shelfwire</h1>
${content}
</body>
</html>
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
