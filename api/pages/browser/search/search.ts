/** The search itself is loaded when it is first opened. */
async function open(): Promise<void> {
  if (document.querySelector("dialog[open]") !== null) return;
  const { openSearch } = await import("./search-dialog.ts");
  if (document.querySelector("dialog[open]") === null) openSearch();
}

const opener = document.querySelector<HTMLButtonElement>("#search-open");
if (opener !== null) {
  opener.addEventListener("click", () => void open());
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void open();
  });
  opener.hidden = false;
}
