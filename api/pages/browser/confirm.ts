/** Opens a dialog, and waits for the answer: true for yes. Closing it without an answer means no. */
export async function isConfirmed(dialog: HTMLDialogElement): Promise<boolean> {
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  return dialog.returnValue === "yes";
}
