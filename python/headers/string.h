/* SPDX-License-Identifier: Apache-2.0 */
/* Empty: the declarations for cffi need no function of this header. */
