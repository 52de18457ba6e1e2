/** In a file by itself, because the carousel's scripts need no other text of billing. */
export const noEmailText = "No email found. Please contact support.";
