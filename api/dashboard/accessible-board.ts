import { namingScript } from "../pages/html/naming-script.ts";

/**
 * Colours that give bull-board's text the contrast that WCAG 2.2 requires (AA, 4.5:1), in the variables of the pinned
 * release.
 */
export const READABLE = `
:root {
  --muted-foreground: #4b5560; --primary: #0a4f47; --destructive: #b02318; --hl-meta: #56606b;
  --status-completed: #0d5c2c; --status-failed: #b02318; --status-waiting: #8a4b08;
}
.dark-mode {
  --muted-foreground: #a8b3c1; --primary: #5fe0c5; --destructive: #ff9d96; --hl-meta: #a8b3c1;
  --status-completed: #6fd896; --status-failed: #ff9d96;
}
small { opacity: 1; }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; } }
[class*="appVersion"] { color: var(--sidebar-foreground); }
`;

/** Names, by icon, for the buttons that bull-board shows only as icons. */
export const boardNames = namingScript({
  "header ul button:not(:has(svg.lucide)), header ul svg[role=img]": "Redis",
  "button:has(> svg.lucide-maximize)": "Full screen",
  "button:has(> svg.lucide-settings)": "Settings",
  "button:has(> svg.lucide-circle-user)": "Account",
  "button:has(> svg.lucide-ellipsis-vertical)": "Actions of the queue",
  "[class*=headerControls] button:has(> svg.lucide-ellipsis-vertical)": "Actions of all queues",
  "[class*=jobActions] button:has(> svg.lucide-refresh-cw)": "Retry",
  "[class*=jobActions] button:has(> svg.lucide-trash-2)": "Clean",
  "[class*=jobActions] button:has(> svg.lucide-circle-arrow-up)": "Promote",
  "button:has(> svg.lucide-copy)": "Copy",
  "button:has(> svg.lucide-info)": "About the queue",
  "[class*=workersBadge][aria-label^=Nothing]": "No workers: no process is consuming this queue",
});
